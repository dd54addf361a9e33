"""From mouse and keys to a filled-in reply: prompts, drafts of fields, army lists. No window."""
