const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Nobody presses Ctrl-C twice this quickly, and no echo takes longer. */
const ECHO_MS = 500;

/**
 * Calls `begin` at the first signal to end, and `again` at each later one. An echo of the first
 * does not count: under npm, one Ctrl-C arrives both from the terminal and from npm.
 */
export function onEndSignals(
  begin: (signal: NodeJS.Signals) => void,
  again: () => void,
  // Given by tests.
  source: Pick<NodeJS.EventEmitter, 'on'> = process,
  clockMs: () => number = () => performance.now(),
): void {
  let beganAtMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (beganAtMs === undefined) {
      beganAtMs = clockMs();
      begin(signal);
    } else if (clockMs() - beganAtMs > ECHO_MS) again();
  };
  for (const signal of SIGNALS) source.on(signal, onSignal);
}
