import type { Pool } from 'pg';
import { traced } from '../../lib/tracing.ts';
import type { OpenAccount } from '../../merchants/acquirer-accounts.ts';
import type { Environment } from '../../merchants/types.ts';
import type {
  CardProvider,
  InboundProvider,
  ProviderTraits,
  RedirectProvider,
} from '../provider.ts';
import { ACCOUNT_PROVIDERS, type AccountProvider } from './account-providers.ts';
import { SandboxAcquirer } from './sandbox/sandbox.ts';
import { TEST_CARDS, type TestCard } from './sandbox/test-cards.ts';

type ProviderEntry = {
  /** The environments that it serves: test cards must never pay in production. */
  environments: readonly Environment[];
  /** The only cards that it accepts, if it accepts no real ones. */
  testCards?: readonly TestCard[];
  open: (db: Pool) => CardProvider;
};

/** Every acquirer that the gateway can pay through, by its name in an attempt's row. */
const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  sandbox: {
    environments: ['sandbox'],
    testCards: TEST_CARDS,
    open: (db) => new SandboxAcquirer(db),
  },
};

const nameAndEntryOf = (environment: Environment) =>
  Object.entries(PROVIDERS).find(([, entry]) => entry.environments.includes(environment));

/** The name of the acquirer for invoices of an environment, or null. */
export function providerNameOf(environment: Environment): string | null {
  return nameAndEntryOf(environment)?.[0] ?? null;
}

/** The only cards that can pay an environment's invoices; null where real ones can, or none at all. */
export function testCardsOf(environment: Environment): readonly TestCard[] | null {
  return nameAndEntryOf(environment)?.[1].testCards ?? null;
}

/** The acquirer of an attempt. Throws for a name that is not in the registry. */
export function openProvider(name: string, db: Pool): CardProvider {
  const entry = PROVIDERS[name];
  if (!entry) throw new Error(`no acquirer named ${name}`);
  return tracedProvider(entry.open(db));
}

/** A provider whose calls are spans when tracing is on: each has its request and its result. */
function tracedProvider(provider: CardProvider): CardProvider {
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
    kind: 'card',
    name: provider.name,
    authorise: (request, now) => call('authorise', () => provider.authorise(request, now)),
    lookup: (key, now) => call('lookup', () => provider.lookup(key, now)),
    capture: (request, now) => call('capture', () => provider.capture(request, now)),
    void: (id, now) => call('void', () => provider.void(id, now)),
    ...(provider.refunds && { refunds: provider.refunds }),
  };
}

/** A provider with merchants' accounts; undefined for any other name. */
export function accountProviderOf(name: string): AccountProvider | undefined {
  return Object.hasOwn(ACCOUNT_PROVIDERS, name) ? ACCOUNT_PROVIDERS[name] : undefined;
}

/** Whether an account's payments need the buyer's e-mail address, for a receipt. */
export function demandsEmail({ provider, credentials }: OpenAccount): boolean {
  return accountProviderOf(provider)?.demandsEmail?.(credentials) ?? false;
}

/** The names of the providers with merchants' accounts. */
export const ACCOUNT_PROVIDER_NAMES: readonly string[] = Object.keys(ACCOUNT_PROVIDERS);

/** The provider of an account. Throws where it is not in the registry. */
export function openAccountProvider(
  db: Pool,
  account: OpenAccount,
  clock: () => Date,
): InboundProvider | RedirectProvider {
  const entry = accountProviderOf(account.provider);
  if (!entry) throw new Error(`no acquirer named ${account.provider}`);
  return entry.open(db, account, clock);
}

/** Which refunds an attempt's acquirer takes from us, and the name that people know it by. */
export function refundTraitsOf({
  provider,
  accountId,
}: {
  provider: string;
  accountId: string | null;
}): Pick<ProviderTraits, 'title' | 'refunds'> {
  if (accountId === null) return { title: provider, refunds: 'partial' };
  return accountProviderOf(provider)?.traits ?? { title: provider, refunds: 'none' };
}
