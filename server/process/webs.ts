import cluster, { type Worker } from 'node:cluster';
import { onEndSignals } from '../lib/end-signals.ts';
import {
  type FromWeb,
  isGatewayMessage,
  type ProcessReport,
  type ToWeb,
} from '../observability/web-messages.ts';
import { countFailure, restartDelayMs } from './back-off.ts';
import { sendSignal } from './send-signal.ts';
import { onSupervisorGone } from './supervisor-gone.ts';

/** Longer than a web allows itself, shorter than `npm start` allows all of them. */
const STOPS_WITHIN_MS = 14_000;
/** A hanging web must not hold up the others' figures. */
const REPORTS_WITHIN_MS = 1_000;
const PING_EVERY_MS = 10_000;
/** This many unanswered pings: a request blocks for milliseconds, never for this long. */
const HANGS_AFTER_PINGS = 3;

export type WebsOptions = {
  /** The file that each web runs. */
  file: string;
  processes: number;
  /** Their variables beside our own. */
  environment: Record<string, string>;
  say: (what: { process: number; pid?: number; [field: string]: unknown }, text: string) => void;
  pingEveryMs?: number;
};

/** A web's place: the number stays, the process in it may change. */
type Place = {
  process: number;
  worker: Worker | null;
  /** A web takes no messages before it listens, and Node does not keep them for it. */
  listens: boolean;
  failures: number;
  timer?: NodeJS.Timeout;
};

type Collection = { waitsFor: Set<number>; reports: ProcessReport[]; end: () => void };

/** Gathers all webs' reports for the one that was asked for metrics. */
class Reports {
  private readonly places: Place[];
  private readonly running = new Map<number, Collection>();
  private lastId = 0;

  constructor(places: Place[]) {
    this.places = places;
  }

  collect(asker: Worker, askedId: number): void {
    this.lastId += 1;
    const id = this.lastId;
    const there = this.places.filter(({ worker }) => worker?.isConnected());
    const reports: ProcessReport[] = [];
    const end = () => {
      clearTimeout(limit);
      this.running.delete(id);
      reports.sort((a, b) => a.process - b.process);
      if (asker.isConnected()) tell(asker, { gateway: 'reports', id: askedId, reports });
    };
    const limit = setTimeout(end, REPORTS_WITHIN_MS);
    const waitsFor = new Set(there.map(({ process }) => process));
    this.running.set(id, { waitsFor, reports, end });
    for (const { worker } of there) if (worker) tell(worker, { gateway: 'report', id });
  }

  take(process: number, { id, text }: { id: number; text: string }): void {
    const collection = this.running.get(id);
    if (!collection?.waitsFor.delete(process)) return;
    collection.reports.push({ process, text });
    if (collection.waitsFor.size === 0) collection.end();
  }
}

function tell(worker: Worker, message: ToWeb): void {
  // The web may be gone by now; its exit reports that.
  worker.send(message, () => undefined);
}

/**
 * Kills a web that hangs after it has listened: it would keep its connections and never answer any
 * of them.
 *
 * @returns a function to call when it answers
 */
function watchForHang(worker: Worker, pingEveryMs: number, onHang: () => void): () => void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered === HANGS_AFTER_PINGS) {
      clearInterval(timer);
      onHang();
      sendSignal(worker.process, 'SIGKILL');
      return;
    }
    unanswered += 1;
    tell(worker, { gateway: 'ping' });
  }, pingEveryMs);
  worker.once('exit', () => clearInterval(timer));
  return () => {
    unanswered = 0;
  };
}

/**
 * Forks a web, and reports once that it is over: by its exit, or because no process could be made.
 *
 * @returns null when it is already over
 */
function fork(
  environment: Record<string, string>,
  onOver: (why: { code?: number; signal?: string; err?: Error }) => void,
): Worker | null {
  try {
    const worker = cluster.fork(environment);
    worker.once('exit', (code, signal) => onOver({ code, signal }));
    // A running web reports its end by its exit, even if a message could not be sent to it.
    worker.on('error', (err) => {
      if (worker.process.pid === undefined) onOver({ err });
    });
    return worker;
  } catch (error) {
    onOver({ err: error as Error });
    return null;
  }
}

/** Ends in order on a signal, or when the supervisor is gone; at once on a second signal. */
function onEnd(stop: () => void): void {
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    stop();
  };
  onEndSignals(end, () => process.exit(1));
  onSupervisorGone(end);
}

/**
 * Keeps several webs on one port, by node:cluster. A web that dies is restarted, with growing
 * pauses; one that fails before any has ever listened ends all, because it would fail again. Ends
 * with its process.
 *
 * Each web accepts connections from the port itself, whenever it is free. If this process handed
 * them out in turn (Node's default), a connection on its way to a web that hangs, dies or stops
 * listening would stay here, neither answered nor closed (nodejs/node#21746).
 */
export function keepWebs(options: WebsOptions): void {
  const { file, processes, environment, say, pingEveryMs = PING_EVERY_MS } = options;
  const hasTsx = process.execArgv.includes('tsx');
  const execArgv = hasTsx ? process.execArgv : [...process.execArgv, '--import', 'tsx'];
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: file, args: [], execArgv });
  const places: Place[] = Array.from({ length: processes }, (_, index) => ({
    process: index + 1,
    worker: null,
    listens: false,
    failures: 0,
  }));
  const reports = new Reports(places);
  let hasListened = false;
  let exitCode: number | null = null;

  const stop = (code: number) => {
    exitCode ??= code;
    for (const { worker, listens, timer } of places) {
      clearTimeout(timer);
      if (worker && listens) tell(worker, { gateway: 'stop' });
      else if (worker) sendSignal(worker.process, 'SIGTERM');
    }
    setTimeout(() => {
      for (const { worker } of places) if (worker) sendSignal(worker.process, 'SIGKILL');
    }, STOPS_WITHIN_MS);
    endWhenAlone();
  };
  const endWhenAlone = () => {
    if (exitCode !== null && places.every(({ worker }) => worker === null)) process.exit(exitCode);
  };
  const start = (place: Place) => {
    const startedMs = performance.now();
    const worker = fork(environment, (why) => {
      const pid = place.worker?.process.pid;
      place.worker = null;
      if (exitCode !== null) return endWhenAlone();
      const what = why.err ? 'a web cannot be started' : 'a web ended';
      if (!hasListened) {
        if (why.err) say({ process: place.process, ...why }, what);
        return stop(why.code || 1);
      }
      place.failures = countFailure(place.failures, performance.now() - startedMs);
      const delayMs = restartDelayMs(place.failures);
      say({ process: place.process, pid, ...why, delayMs }, `${what}; trying again`);
      place.timer = setTimeout(start, delayMs, place);
    });
    place.worker = worker;
    place.listens = false;
    if (worker === null) return;
    let answered = (): void => undefined;
    worker.on('message', (message: unknown) => {
      if (!isGatewayMessage<FromWeb>(message)) return;
      if (message.gateway === 'pong') answered();
      else if (message.gateway === 'collect') reports.collect(worker, message.id);
      else reports.take(place.process, message);
    });
    worker.once('listening', () => {
      hasListened = true;
      place.listens = true;
      tell(worker, { gateway: 'place', process: place.process });
      const { pid } = worker.process;
      answered = watchForHang(worker, pingEveryMs, () =>
        say({ process: place.process, pid }, 'a web hangs and is killed'),
      );
    });
  };
  onEnd(() => stop(0));
  for (const place of places) if (exitCode === null) start(place);
}
