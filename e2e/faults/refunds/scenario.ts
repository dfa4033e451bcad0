import { setTimeout as sleep } from 'node:timers/promises';
import { type Acquirer, keepGoing } from '../acquirers/stand-ins.ts';
import { inLanes } from '../client.ts';
import { type CuttingProxy, startCuttingProxy } from '../cutting-proxy.ts';
import type { FaultyGateway } from '../gateway.ts';
import { Random } from '../random.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Figures, Finding } from '../report.ts';
import { judge, readBooks } from './books.ts';
import { makePaid, type Paid } from './paid.ts';
import { askForRest, carryOut, type Tally } from './plans.ts';

/** The kills come between an acquirer's answer and our commit; the cuts lose the commit's answer. */
export type RefundsSize = { invoices: number; kills: number; cuts: number; crashes: number };

const LANES = 10;
const STIR_EVERY_MS = 200;
/** How many calls about each invoice’s refunds meet a fault. */
const FAULTS_EACH = 3;
const MET_WITHIN_MS = 20_000;
const HEALTHY_WITHIN_MS = 120_000;
const SETTLE_WITHIN_MS = 90_000;
/** Every third refund that succeeded is sent back days later, where the acquirer tells of that. */
const LATE_EVERY = 3;

type Fault = 'kill' | 'cut' | 'crash';
type Met = Record<Fault, number>;
type Given = { seed: number; acquirers: Acquirer[] };

/**
 * PAID invoices are given back, in parts and whole, by REST and in the acquirers' cabinets, while
 * web and worker are killed with -9 between the acquirer's answer and our commit, answers of
 * PostgreSQL and of acquirers are lost, and acquirers refuse, take time, and fail days later.
 */
export async function refunds(
  gateway: FaultyGateway,
  size: RefundsSize,
  given: Given,
): Promise<Figures> {
  const receiver = await startReceiver(() => 'accept');
  const proxy = await startCuttingProxy(Number(new URL(gateway.url).port));
  const stop = keepGoing(given.acquirers);
  try {
    const { url: callbackUrl } = receiver;
    const paid = await makePaid(gateway, { ...given, ...size, callbackUrl });
    return await giveBack(gateway, size, { ...given, receiver, proxy, paid });
  } finally {
    stop();
    await Promise.all([proxy.close(), receiver.close()]);
  }
}

async function restart(gateway: FaultyGateway, databasePort?: number): Promise<void> {
  await Promise.all([gateway.killPart('web'), gateway.killPart('worker')]);
  gateway.startPart('web', databasePort);
  gateway.startPart('worker', databasePort);
}

type Causing = { proxy: CuttingProxy; met: Met; random: Random; over: AbortSignal };

/** Waits until a statement has met what waits for it, or nothing comes any more. */
async function untilMet(isMet: () => boolean, over: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + MET_WITHIN_MS;
  while (!isMet() && !over.aborted && Date.now() < deadline) await sleep(20);
  return isMet();
}

/** Causes one fault; it counts once it was met. */
async function cause(
  gateway: FaultyGateway,
  fault: Fault,
  { proxy, met, random, over }: Causing,
): Promise<void> {
  if (fault === 'crash') {
    await gateway.crashPostgres();
    met.crash += 1;
  } else if (fault === 'kill') {
    let isHeld = false;
    void proxy.hold('refund_succeed').then(() => {
      isHeld = true;
    });
    if (!(await untilMet(() => isHeld, over))) return proxy.disarm();
    met.kill += 1;
    await restart(gateway, proxy.port);
    await gateway.untilHealthy(HEALTHY_WITHIN_MS);
  } else {
    const before = proxy.cuts();
    proxy.arm(random.pick(['open_refund', 'refund_succeed']));
    if (await untilMet(() => proxy.cuts() > before, over)) met.cut += 1;
  }
}

/** The faults of a run in their order; the first is a kill, which is surely met. */
function planOf({ kills, cuts, crashes }: RefundsSize, random: Random): Fault[] {
  const all: Fault[] = [
    ...Array.from({ length: kills - 1 }, () => 'kill' as const),
    ...Array.from({ length: cuts }, () => 'cut' as const),
    ...Array.from({ length: crashes }, () => 'crash' as const),
  ];
  const ordered = all.map((fault) => ({ fault, at: random.next() })).sort((a, b) => a.at - b.at);
  return ['kill', ...ordered.map(({ fault }) => fault)];
}

/**
 * Calls about refunds meet faults, `each` at every acquirer, and refunds take time, now and then.
 *
 * @returns how to end that
 */
function stir(acquirers: Acquirer[], random: Random, each: number): () => void {
  const left = new Map(acquirers.map((acquirer) => [acquirer, each]));
  const stirring = setInterval(() => {
    const acquirer = random.pick(acquirers);
    const { refunds: desk, causeFault } = acquirer;
    const faults = left.get(acquirer) ?? 0;
    if (faults > 0) causeFault(random, desk.operations);
    left.set(acquirer, faults - 1);
    desk.setPending?.(random.next() < 0.3);
  }, STIR_EVERY_MS);
  return () => {
    clearInterval(stirring);
    for (const { calm, refunds: desk } of acquirers) {
      calm();
      desk.setPending?.(false);
    }
  };
}

type Storm = Given & { receiver: Receiver; proxy: CuttingProxy; paid: Paid[] };

/** All merchants ask while the faults come. */
async function weather(
  gateway: FaultyGateway,
  size: RefundsSize,
  { seed, acquirers, proxy, paid, tally }: Storm & { tally: Tally },
): Promise<Met> {
  const random = Random.of(seed, 'refunds');
  const met: Met = { kill: 0, cut: 0, crash: 0 };
  await restart(gateway, proxy.port);
  await gateway.untilHealthy(HEALTHY_WITHIN_MS);
  const turns = acquirers.length + 1;
  const each = (FAULTS_EACH * size.invoices) / turns;
  const calm = stir(acquirers, Random.of(seed, 'refund desks'), each);
  const over = new AbortController();
  const causing = { proxy, met, random, over: over.signal };
  const faults = (async () => {
    for (const fault of planOf(size, random)) {
      if (over.signal.aborted) return;
      await cause(gateway, fault, causing);
    }
  })();
  // What fails before then is thrown by the wait for it at the end.
  faults.catch(() => undefined);
  try {
    await inLanes(paid, LANES, (one, index) => carryOut(one, Math.floor(index / turns), tally));
  } finally {
    over.abort();
    await faults;
    proxy.disarm();
    calm();
  }
  await restart(gateway);
  return met;
}

/** What is open ends: the acquirers decide, and the next questions come at once. */
async function settle(gateway: FaultyGateway, { acquirers, paid, seed }: Storm): Promise<void> {
  const random = Random.of(seed, 'settle');
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    for (const { refunds: desk } of acquirers) desk.settle?.(random);
    const { rows } = await readBooks(gateway, paid);
    const open = rows.filter(({ status }) => status === 'PENDING').map(({ id }) => id);
    if (open.length === 0 || Date.now() > deadline) return;
    // A process that holds one is dead or, as nothing is slow any more, has ended its question.
    await gateway.query(
      "UPDATE refunds SET recover_at = now() WHERE id = ANY ($1) AND status = 'PENDING'",
      [open],
    );
    await sleep(700);
  }
}

/** Days later banks send refunds back. @returns ours that failed by that */
async function failLate(gateway: FaultyGateway, storm: Storm): Promise<Set<string>> {
  const late = new Set<string>();
  const { rows } = await readBooks(gateway, storm.paid);
  const ours = new Map(rows.map((row) => [row.reference, row.id]));
  for (const { refunds: desk } of storm.acquirers) {
    const succeeded = desk.books().filter(({ state }) => state === 'succeeded');
    for (const [index, { id }] of succeeded.entries()) {
      const ourId = ours.get(id);
      if (!desk.failLate || id === null || ourId === undefined || index % LATE_EVERY) continue;
      desk.failLate(id);
      late.add(ourId);
    }
  }
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  const untold = async () => {
    const books = await readBooks(gateway, storm.paid);
    return books.rows.some(({ id, status }) => late.has(id) && status !== 'FAILED');
  };
  while ((await untold()) && Date.now() < deadline) await sleep(200);
  return late;
}

async function giveBack(gateway: FaultyGateway, size: RefundsSize, storm: Storm): Promise<Figures> {
  const { paid, receiver } = storm;
  const tally: Tally = {
    asked: 0,
    repeats: 0,
    taken: 0,
    refused: 0,
    wrong: [],
    fitting: new Map(),
  };
  const met = await weather(gateway, size, { ...storm, tally });
  const calmMs = Date.now();
  await settle(gateway, storm);
  const late = await failLate(gateway, storm);
  await inLanes(paid, LANES, (each) => askForRest(each, tally));
  await settle(gateway, storm);
  const settledMs = Date.now() - calmMs;
  await gateway.untilHealthy();
  if (tally.wrong.length > 0) process.stdout.write(`  ${tally.wrong.slice(0, 3).join('; ')}\n`);
  const isToldOnce = ({ invoiceId }: Paid) => {
    const arrived = receiver.arrivals.get(invoiceId);
    return arrived?.webhookIds.size === 1 && arrived.statuses.size === 1;
  };
  const findings: Finding[] = [
    ['every invoice was paid', paid.length === size.invoices],
    ['web and worker were killed between an answer and its commit', met.kill > 0],
    ['answers of commits were lost', met.cut > 0],
    ['refunds failed after they had succeeded', late.size > 0],
    ['every repeat was answered by the first one’s refund', tally.wrong.length === 0],
    ...(await judge(gateway, { paid, late, fitting: tally.fitting })),
    ['no invoice was told of but as PAID', paid.every(isToldOnce)],
    ['no process ended but by a kill', gateway.endedAlone.length === 0],
  ];
  return {
    title: `refunds of ${size.invoices} invoices at ${storm.acquirers.length} acquirers and the sandbox, killed between answer and commit, answers lost`,
    findings,
    figures: {
      kills: String(met.kill),
      'commits’ answers lost': String(met.cut),
      'PostgreSQL stopped': String(met.crash),
      asked: String(tally.asked),
      'asked twice': String(tally.repeats),
      taken: String(tally.taken),
      refused: String(tally.refused),
      'failed late': String(late.size),
      'last answer to all settled': `${(settledMs / 1000).toFixed(1)} s`,
    },
  };
}
