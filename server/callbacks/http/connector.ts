import {
  CONNREFUSED,
  REFUSED,
  Resolver,
  SERVFAIL,
  lookup as systemLookup,
  TIMEOUT,
} from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { devNull } from 'node:os';
import { buildConnector } from 'undici';
import { withTimeout } from '../../lib/timeout.ts';
import {
  AddressRefusedError,
  bareHost,
  type CallbackNetwork,
  isAddressAllowed,
} from './address-guard.ts';
import { passOverInterim } from './interim-answers.ts';
import { limitReading } from './read-limit.ts';
import { isLackOfOurs } from './send-failure.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Finds all addresses of a name; rejects with a DNS error code when there are none. */
export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

const DNS_TIMEOUT_MS = 2_000;
// The servers of a network that the machine has left may still answer, and refuse strangers.
const ASKED_AGAIN = new Set<string | undefined>([TIMEOUT, CONNREFUSED, REFUSED, SERVFAIL]);
/** The lookup's share of an attempt's ten seconds. */
const LOOKUP_LIMIT_MS = 6_000;
/** The wait for IPv6 addresses once those of IPv4 are there: some servers never answer. */
const OTHER_FAMILY_MS = 1_000;
/**
 * The time in which one address of several has to accept. Node's 250 ms are for a waiting person: a
 * distant server takes longer, and an abandoned address is not tried again. Several silent ones
 * still leave time for one that is not.
 */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * Asks the name servers themselves.
 *
 * The system's lookup runs in Node's four worker threads, so that four names with silent servers
 * would delay every other merchant's callbacks. It also reads the hosts file and search domains,
 * which name inner machines.
 *
 * All lookups share one resolver, because it learns which name servers are silent. But after quick
 * answers it waits only about a second, and it never rereads the system's servers. After a timeout,
 * a refusal or a failure a fresh one therefore asks again, and replaces it once answered.
 *
 * @param servers the system's by default
 * @param limitMs set by tests
 */
export function resolveByNameServers(
  servers?: () => readonly string[],
  limitMs = LOOKUP_LIMIT_MS,
): ResolveName {
  const open = (): Resolver => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
    if (servers) resolver.setServers(servers());
    return resolver;
  };
  let lasting = open();
  const askTwice = async (question: (resolver: Resolver) => Promise<string[]>) => {
    try {
      return await question(lasting);
    } catch (error) {
      if (!ASKED_AGAIN.has((error as NodeJS.ErrnoException).code)) throw error;
      const fresh = open();
      const found = await question(fresh);
      lasting = fresh;
      return found;
    }
  };
  const ask = (question: (resolver: Resolver) => Promise<string[]>) =>
    withTimeout(limitMs, askTwice(question));
  return async (hostname) => {
    const sixAsked = ask((resolver) => resolver.resolve6(hostname)).catch(() => []);
    let four: string[] = [];
    let failure: NodeJS.ErrnoException | null = null;
    try {
      four = await ask((resolver) => resolver.resolve4(hostname));
    } catch (error) {
      failure = error as NodeJS.ErrnoException;
      failure.code ??= TIMEOUT;
    }
    const six = await (failure ? sixAsked : withTimeout(OTHER_FAMILY_MS, sixAsked).catch(() => []));
    if (failure && six.length === 0) throw failure;
    return [
      ...four.map((address) => ({ address, family: 4 as const })),
      ...six.map((address) => ({ address, family: 6 as const })),
    ];
  };
}

/** Names like `localhost` or those of the hosts file must work on a developer's machine. */
async function resolveBySystem(hostname: string): Promise<ResolvedAddress[]> {
  const found = await systemLookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** The lookup that fits the network. */
export function resolverFor(network: CallbackNetwork): ResolveName {
  return network === 'local' ? resolveBySystem : resolveByNameServers();
}

/** Both lookups report a missing address or server when no file can be opened. */
function causeOfLookup(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  try {
    closeSync(openSync(devNull, 'r'));
    return error;
  } catch (lack) {
    return isLackOfOurs(lack) ? (lack as NodeJS.ErrnoException) : error;
  }
}

/**
 * A `lookup` for net.connect that returns only vetted addresses. The connection uses them directly:
 * no second lookup could answer differently (DNS rebinding). One forbidden address among several
 * refuses the whole name: an honest name has none. The refusal looks like an unknown name's,
 * because callers could otherwise learn which names our own network knows.
 */
function vettedLookup(network: CallbackNetwork, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isAddressAllowed(address, network))) {
          callback(Object.assign(new Error('no public address'), { code: 'ENOTFOUND' }), '', 0);
        } else if (options.all) {
          callback(null, found);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(causeOfLookup(error), '', 0),
    );
  };
}

/**
 * The connector for undici's Agent. It also vets IP literals, which never need a lookup.
 *
 * @param options.timeoutMs to connect, TLS included
 * @param options.readLimitBytes of all that is read for one request
 */
export function vettedConnector(
  network: CallbackNetwork,
  options: { resolve: ResolveName; timeoutMs: number; readLimitBytes: number },
): buildConnector.connector {
  const { resolve, timeoutMs, readLimitBytes } = options;
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: vettedLookup(network, resolve),
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  } as buildConnector.BuildOptions);
  return (target, callback) => {
    const host = bareHost(target.hostname);
    if (isIP(host) !== 0 && !isAddressAllowed(host, network)) {
      callback(new AddressRefusedError('address_refused'), null);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      limitReading(socket, readLimitBytes);
      passOverInterim(socket);
      callback(null, socket);
    });
  };
}
