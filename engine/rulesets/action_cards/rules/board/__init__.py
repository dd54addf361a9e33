"""The board at one moment: bases, cover, sight, contact, and free places beside a lead."""
