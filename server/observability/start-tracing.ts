import { setTracer, tracer } from '../lib/tracing.ts';
import { settings } from '../settings/settings.ts';

// Longer than one request to a collector that is there, and short, so that a process ends in the
// time that it has where there is none.
const STOP_MS = 1_000;

/** Begins to trace where the settings ask for it; otherwise OpenTelemetry is not even loaded. */
export async function startTracing(processKind: 'web' | 'worker'): Promise<void> {
  const { traces } = settings();
  if (traces === null || tracer() !== null) return;
  const { createTracer } = await import('./open-telemetry.ts');
  setTracer(createTracer(traces, processKind));
}

/** Sends the spans that are left and traces no more. */
export async function stopTracing(): Promise<void> {
  const current = tracer();
  setTracer(null);
  await current?.stop(STOP_MS);
}
