return { n = 1 }
