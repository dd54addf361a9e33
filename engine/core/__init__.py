"""What every rule system needs: match, steps, events, procedures, questions, dice, visibility, snapshots."""
