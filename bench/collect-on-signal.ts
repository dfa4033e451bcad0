// Loaded into a measured process that was started with `--expose-gc`: collects garbage at
// COLLECT_SIGNAL.
process.on('SIGUSR2', () => globalThis.gc?.());
