import { traced } from '../../lib/tracing.ts';
import type { PaymentProvider } from '../provider.ts';

/** A provider whose calls are spans where traces are wanted: what was asked and what came of it. */
export function tracedProvider(provider: PaymentProvider): PaymentProvider {
  const call = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    traced(
      () => ({
        name: `provider ${name}`,
        kind: 'client',
        attributes: { 'gateway.provider': provider.name },
      }),
      async (span) => {
        const result = await work();
        const state = (result as { state?: string } | undefined)?.state ?? null;
        span?.set({ 'gateway.provider_state': state });
        return result;
      },
    );
  return {
    name: provider.name,
    authorise: (request, now) => call('authorise', () => provider.authorise(request, now)),
    lookup: (key, now) => call('lookup', () => provider.lookup(key, now)),
    capture: (request, now) => call('capture', () => provider.capture(request, now)),
    void: (id, now) => call('void', () => provider.void(id, now)),
  };
}
