// Filled by the first change that needs it.
