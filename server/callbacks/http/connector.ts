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
// Those of a network that the machine has left may still answer, to strangers by a refusal.
const ASKED_AGAIN = new Set<string | undefined>([TIMEOUT, CONNREFUSED, REFUSED, SERVFAIL]);
/** What a lookup may take of an attempt's ten seconds. */
const LOOKUP_LIMIT_MS = 6_000;
/** How long those of IPv6 are waited for when those of IPv4 are there: some servers never tell. */
const OTHER_FAMILY_MS = 1_000;
/**
 * How long one address of several may take to accept. Node's 250 ms are for a person who waits: a
 * server far away takes longer, and an address that was given up is not tried again. Several that
 * are silent still leave time for one that is not.
 */
const ADDRESS_TIMEOUT_MS = 2_500;

/**
 * Asks the name servers themselves.
 *
 * The system's lookup runs in Node's four worker threads, so that four names
 * whose servers are silent would hold up every other merchant's callbacks; it
 * also reads the hosts file and search domains, which name inner machines.
 *
 * One resolver is kept for all, since it learns which name servers are silent. But after quick
 * answers it waits about a second only, and it never reads the system's servers anew: after a
 * timeout, a refusal or a failure a fresh one asks again, and takes its place if it is answered.
 *
 * @param servers left out: those of the system
 * @param limitMs given by tests
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

/** On a developer's machine names like `localhost` or those of the hosts file must work. */
async function resolveBySystem(hostname: string): Promise<ResolvedAddress[]> {
  const found = await systemLookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/** The way of finding names that fits the network. */
export function resolverFor(network: CallbackNetwork): ResolveName {
  return network === 'local' ? resolveBySystem : resolveByNameServers();
}

/** Without an open file to ask by, both ways of finding names say that there is none, or no server. */
function causeOfLookup(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  try {
    closeSync(openSync(devNull, 'r'));
    return error;
  } catch (lack) {
    return isLackOfOurs(lack) ? (lack as NodeJS.ErrnoException) : error;
  }
}

/**
 * A `lookup` for net.connect that gives out vetted addresses only. What it gives
 * out is what is connected to: there is no second lookup that could answer
 * differently (DNS rebinding). One forbidden address among several refuses the
 * name as a whole: an honest name has none. It is refused as a name that does not exist, or
 * whoever chooses the names would learn which of them our own network knows.
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
 * The connector for undici's Agent. Besides the lookup it vets IP literals, for
 * which no lookup is ever called.
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
