import type { Pool } from 'pg';
import { traced } from '../../lib/tracing.ts';
import type { Environment } from '../../merchants/types.ts';
import type { PaymentProvider } from '../provider.ts';
import { SandboxAcquirer } from './sandbox/sandbox.ts';
import { TEST_CARDS, type TestCard } from './sandbox/test-cards.ts';

type ProviderEntry = {
  /** Where invoices can be paid through it: test cards must never pay in production. */
  environments: readonly Environment[];
  /** The only cards that it takes, where it takes no real ones. */
  testCards?: readonly TestCard[];
  open: (db: Pool) => PaymentProvider;
};

/** Every acquirer that the gateway can pay through, by the name that an attempt's row keeps. */
const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  sandbox: {
    environments: ['sandbox'],
    testCards: TEST_CARDS,
    open: (db) => new SandboxAcquirer(db),
  },
};

const nameAndEntryOf = (environment: Environment) =>
  Object.entries(PROVIDERS).find(([, entry]) => entry.environments.includes(environment));

/** The name of the acquirer that invoices of an environment are paid through, or null. */
export function providerNameOf(environment: Environment): string | null {
  return nameAndEntryOf(environment)?.[0] ?? null;
}

/** The only cards that can pay an environment's invoices; null where real ones can, or none at all. */
export function testCardsOf(environment: Environment): readonly TestCard[] | null {
  return nameAndEntryOf(environment)?.[1].testCards ?? null;
}

/** The acquirer of an attempt. Throws for a name that is not in the registry. */
export function openProvider(name: string, db: Pool): PaymentProvider {
  const entry = PROVIDERS[name];
  if (!entry) throw new Error(`no acquirer named ${name}`);
  return tracedProvider(entry.open(db));
}

/** A provider whose calls are spans where traces are wanted: what was asked and what came of it. */
function tracedProvider(provider: PaymentProvider): PaymentProvider {
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
