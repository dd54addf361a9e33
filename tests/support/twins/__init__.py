"""Twin matches on the real server: two that differ only in what some viewers may not know. Every frame of those must be
the same, and queued at the same time. `planted` puts leaks into the server, to show that they would be found."""
