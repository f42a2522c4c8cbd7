"""The precision of causal edges, judged by readers who see the code and not the rule: `README.md`."""
