"""Components of Svelte."""
