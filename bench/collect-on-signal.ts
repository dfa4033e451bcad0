// Loaded into a process that is measured, started with `--expose-gc`: at COLLECT_SIGNAL it collects
// what it no longer needs.
process.on('SIGUSR2', () => globalThis.gc?.());
