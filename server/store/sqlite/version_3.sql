-- Checksums: none in rows of before

ALTER TABLE steps ADD COLUMN sum INTEGER;
ALTER TABLE sealed ADD COLUMN sum INTEGER;
ALTER TABLE snapshots ADD COLUMN sum INTEGER;
ALTER TABLE records ADD COLUMN sum INTEGER;
