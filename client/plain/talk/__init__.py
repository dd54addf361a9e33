"""Questions with numbered answers: a prompt, its choices and their fields, and an army list."""
