import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import {
  AddressRefusedError,
  bareHost,
  type CallbackNetwork,
  isAddressAllowed,
} from './address-guard.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };

/** Finds all addresses of a name; rejects with a DNS error code when there are none. */
export type ResolveName = (hostname: string) => Promise<ResolvedAddress[]>;

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
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
 */
function resolveByNameServers(): ResolveName {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const found: ResolvedAddress[] = [];
    if (four.status === 'fulfilled') {
      for (const address of four.value) found.push({ address, family: 4 });
    }
    if (six.status === 'fulfilled') {
      for (const address of six.value) found.push({ address, family: 6 });
    }
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
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

/**
 * A `lookup` for net.connect that gives out vetted addresses only. What it gives
 * out is what is connected to: there is no second lookup that could answer
 * differently (DNS rebinding). One forbidden address among several refuses the
 * name as a whole: an honest name has none.
 */
export function vettedLookup(network: CallbackNetwork, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found;
        if (!first) {
          callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
        } else if (!found.every(({ address }) => isAddressAllowed(address, network))) {
          callback(new AddressRefusedError('address_refused'), '', 0);
        } else if (options.all) {
          callback(null, found);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

/**
 * The connector for undici's Agent. Besides the lookup it vets IP literals, for
 * which no lookup is ever called.
 */
export function vettedConnector(
  network: CallbackNetwork,
  { resolve, timeoutMs }: { resolve: ResolveName; timeoutMs: number },
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: vettedLookup(network, resolve),
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  } as buildConnector.BuildOptions);
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (isIP(host) !== 0 && !isAddressAllowed(host, network)) {
      callback(new AddressRefusedError('address_refused'), null);
      return;
    }
    connect(options, callback);
  };
}
