"""Style sheets: CSS, SCSS, Less."""
