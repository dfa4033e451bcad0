import { setTimeout as sleep } from 'node:timers/promises';
import { Client, createSum, inLanes } from '../client.ts';
import type { FaultyGateway } from '../gateway.ts';
import { Random } from '../random.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Figures } from '../report.ts';
import { causeFaults, planFaults, type StormSize } from '../storm.ts';
import { type Connected, connect } from './accounts.ts';
import { Buyer, type Tally } from './buyer.ts';
import { COURSES, letTimePass } from './courses.ts';
import { compareLedgers, type Ledgers, printUnsettled, toFindings } from './ledgers.ts';
import { type Acquirer, keepGoing } from './stand-ins.ts';

const LANES = 24;
const SETTLE_WITHIN_MS = 60_000;
/** The first callback about every eighth invoice fails. */
const FAILING_SHARE = 0.12;

/**
 * Buyers pay, decline and leave at acquirers while processes are killed with -9, PostgreSQL is
 * stopped, calls and answers between the two sides are lost, and two methods are used at once.
 */
export async function acquirers(
  gateway: FaultyGateway,
  size: StormSize,
  given: { seed: number; acquirers: Acquirer[] },
): Promise<Figures> {
  const { seed } = given;
  const receiver = await startReceiver((transactionId, nth) =>
    nth === 1 && Random.of(seed, transactionId).next() < FAILING_SHARE ? 'fail' : 'accept',
  );
  const stop = keepGoing(given.acquirers);
  try {
    return await weather(gateway, size, { ...given, receiver });
  } finally {
    stop();
    await receiver.close();
  }
}

/** One buyer's course from the create on. @returns the invoice's id */
async function follow(
  gateway: FaultyGateway,
  index: number,
  given: Connected & { seed: number; receiver: Receiver; tally: Tally },
): Promise<string> {
  const { merchant, seed, receiver, tally } = given;
  const random = Random.of(seed, `acquirers ${index}`);
  const client = new Client(gateway, merchant);
  const { currency } = random.pick(given.accounts).acquirer;
  const accounts = given.accounts.filter(({ acquirer }) => acquirer.currency === currency);
  const sum = { amount: 100_000 + index, currency, callbackUrl: receiver.url };
  const invoiceId = await createSum(client, `acquirers-${index}`, sum);
  const buyer = new Buyer(gateway, { invoiceId, random, tally });
  const [one, other] = [random.pick(accounts), random.pick(accounts)];
  await random.pick(COURSES)({ gateway, buyer, client, random, accounts, one, other });
  return invoiceId;
}

type Weather = { seed: number; acquirers: Acquirer[]; receiver: Receiver };

async function weather(gateway: FaultyGateway, size: StormSize, given: Weather): Promise<Figures> {
  const { seed, receiver } = given;
  const connected = await connect(gateway, given.acquirers);
  const ids: string[] = [];
  const tally: Tally = { starts: 0, faults: 0, unanswered: 0 };
  const faults = planFaults(size, Random.of(seed, 'acquirers'));
  const items = Array.from({ length: size.invoices }, (_, index) => index);
  const over = new AbortController();
  const faultsOver = causeFaults(gateway, faults, over);
  const work = inLanes(items, LANES, async (index) => {
    const one = connected[index % connected.length];
    if (!one) throw new Error('no merchant');
    ids.push(await follow(gateway, index, { ...given, ...one, tally }));
  });
  try {
    await Promise.all([work, faultsOver]);
  } catch (error) {
    over.abort();
    // A fault under way still starts a process again.
    await faultsOver.catch(() => undefined);
    throw error;
  }
  for (const { calm } of given.acquirers) calm();
  const calmMs = Date.now();
  await gateway.untilHealthy();
  const look = () => compareLedgers(gateway, { ...given, ids, arrivals: receiver.arrivals });
  // The pages that buyers have left end after half an hour, and their last look comes after it.
  await letTimePass(gateway, ids);
  let ledgers = await look();
  const isSettled = ({ broken }: Ledgers) => [...broken.values()].every(({ length }) => !length);
  for (let looks = 1; !isSettled(ledgers) && Date.now() < calmMs + SETTLE_WITHIN_MS; looks++) {
    await sleep(500);
    // What was on its way to an acquirer at first has its page only after its lease.
    if (looks % 10 === 0) await letTimePass(gateway, ids);
    ledgers = await look();
  }
  const settledMs = Date.now() - calmMs;
  await printUnsettled(gateway, ledgers);
  return {
    title: `${size.invoices} invoices at ${given.acquirers.length} acquirers and the sandbox, ${size.kills} × kill -9, ${size.databaseCrashes} × PostgreSQL stopped, calls and answers lost`,
    findings: [
      ['every buyer came to an end', ids.length === size.invoices],
      ...toFindings(ledgers),
      ['no process ended but by a kill', gateway.endedAlone.length === 0],
    ],
    figures: {
      'last buyer to all settled': `${(settledMs / 1000).toFixed(1)} s`,
      starts: String(tally.starts),
      kills: String(faults.length),
      'calls cut or failed': String(tally.faults),
      'presses to repeat': String(tally.unanswered),
      captures: `${ledgers.captures} and ${ledgers.cardCaptures} by card`,
      'ended without money': String(ledgers.ended),
      told: `${ledgers.told} of ${ids.length}`,
      'told again': String(ledgers.repeats),
    },
  };
}
