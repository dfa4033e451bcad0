import { setTracer, tracer } from '../lib/tracing.ts';
import { settings } from '../settings/settings.ts';

// Longer than one request to a working collector, and short enough for a process to end in time
// without one.
const STOP_MS = 1_000;

/** Starts tracing where the settings ask for it; otherwise OpenTelemetry is not even loaded. */
export async function startTracing(processKind: 'web' | 'worker'): Promise<void> {
  const { traces } = settings();
  if (traces === null || tracer() !== null) return;
  const { createTracer } = await import('./open-telemetry.ts');
  setTracer(createTracer(traces, processKind));
}

/** Sends the remaining spans and stops tracing. */
export async function stopTracing(): Promise<void> {
  const current = tracer();
  setTracer(null);
  await current?.stop(STOP_MS);
}
