"""A tiny rule system for the tests of rule-proof: some of its rules are tested well, others badly."""
