import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import next from 'next';
import { hasSession } from '../auth/next-auth.ts';
import { closeDelivery } from '../callbacks/queue/delivery.ts';
import { closePool, getPool } from '../db/pool.ts';
import { setFixedHeaders } from '../http/fixed-headers.ts';
import { createHttpServer, forMethods, forPaths } from '../http/http-server.ts';
import { inTurn } from '../http/in-turn.ts';
import { listenFault } from '../http/listen-fault.ts';
import { answerNodeRequest, isMeantForRest, restPathOf } from '../http/node-adapter.ts';
import { staticFiles } from '../http/static-files.ts';
import { stopDrains } from '../jobs/inngest/drain.ts';
import { onEndSignals } from '../lib/end-signals.ts';
import { SettingError } from '../lib/errors.ts';
import { forPage } from '../lib/page-response.ts';
import { closeMail, emailsSettled } from '../mail/send.ts';
import { log } from '../observability/log.ts';
import { reportOf } from '../observability/metrics-endpoint.ts';
import { startTracing, stopTracing } from '../observability/start-tracing.ts';
import { isGatewayMessage, type ToWeb } from '../observability/web-messages.ts';
import { type Heartbeats, startHeartbeats } from '../operating/heartbeats.ts';
import { guardSecretsKey } from '../operating/secrets-key.ts';
import { paymentsSettled } from '../payments/pay.ts';
import { onSupervisorGone } from '../process/supervisor-gone.ts';
import { closeRestHandler, getRestHandler } from '../rest/handler.ts';
import { settledRequestId } from '../rest/request-id.ts';
import { projectRoot, type Settings, settings } from '../settings/settings.ts';
import { drain } from './drain.ts';
import { askDatabaseFirst } from './first-questions.ts';
import { hasFewCookies, whyTooLarge } from './page-head.ts';
import { forFewOfProcess, forFewOfSession, forWholeBodies } from './page-requests.ts';
import { isReadableStateTree, STATE_TREE } from './page-state-tree.ts';
import { PageStorages } from './page-storages.ts';
import { timePage } from './page-times.ts';
import { joinSiblings } from './siblings.ts';

// A `web` process: answers the REST endpoints itself and hands the rest to Next,
// whose router alone costs more than a whole status request does here.

const PAYMENTS_MS = 3_000;
/** An attempt's ten seconds, and what it takes to record it. */
const JOBS_MS = 11_000;
const WARMING_MS = 2_000;
/** Whoever ends a web gives it 20 s; a statement on a database that hangs must not take them all. */
const END_LIMIT_MS = 18_000;

/** What only Next may say to itself, or a proxy that we were told to trust. */
const INTERNAL_HEADERS = /^x-(?:middleware-|invoke-|matched-path|nonce$|now-route)/;
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'];

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Where Next leads a path to, whose dots it resolves; '' where it cannot be read. */
function pathOf(url: string): string {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base).pathname : '';
}

/** `/api/` alone is a page that is not found. */
function isApiPath(url: string): boolean {
  return /^\/api\/./.test(pathOf(url));
}

/** Takes out of a request what its sender has no business to say, and what Next cannot read. */
function stripInternalHeaders(request: IncomingMessage, trustedProxyHops: number): void {
  for (const name of Object.keys(request.headers)) {
    if (INTERNAL_HEADERS.test(name)) delete request.headers[name];
  }
  // For the API, which has no pages, Next would redirect by itself, without an envelope.
  if (isApiPath(request.url ?? '')) delete request.headers.rsc;
  if (!isReadableStateTree(request.headers[STATE_TREE])) delete request.headers[STATE_TREE];
  if (!hasFewCookies(request.headers.cookie)) delete request.headers.cookie;
  // By it Next would speak TLS to our own plain port, for the page that an action leads to. Nobody here
  // reads it: `publicUrl` says how browsers come.
  delete request.headers['x-forwarded-proto'];
  if (trustedProxyHops > 0) return;
  for (const name of PROXY_HEADERS) delete request.headers[name];
}

function fail(response: ServerResponse, error: unknown): void {
  log().error({ err: error }, 'a request could not be answered');
  if (!response.headersSent) {
    setFixedHeaders(response);
    response.writeHead(500, { 'content-type': 'text/plain' });
  }
  response.end();
}

/** Next answers 500 for a path like `/%ff`, which is the caller's fault. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Of the API, but for slashes too many or for capitals: Next redirects from the one and has a page for
 * the other, and says both without an envelope.
 */
function isMisspeltApiPath(path: string): boolean {
  const target = path.replace(/[/\\]+/g, '/');
  return /^\/api\//i.test(target) && !(target === path && path.startsWith('/api/'));
}

/** Where requests go: in development everything to Next, so that every edit shows at once. */
function listener(handToNext: NextHandler, { isProduction, trustedProxyHops }: Settings) {
  const answer = (request: IncomingMessage, response: ServerResponse, path: string): void =>
    answerNodeRequest(getRestHandler(), { request, response, path }, trustedProxyHops, (error) =>
      fail(response, error),
    );
  const storages = new PageStorages();
  const toNext: NextHandler = (request, response) =>
    storages
      .during(() => forPage(response, () => handToNext(request, response)))
      .catch((error: unknown) => fail(response, error));
  const toPage = forWholeBodies(
    forFewOfSession(forFewOfProcess(toNext, hasSession)),
    trustedProxyHops,
    fail,
  );
  const isFile = staticFiles(projectRoot());
  const pass = forMethods((request, response) => {
    stripInternalHeaders(request, trustedProxyHops);
    // What the log tells of it stands there under the same id.
    response.setHeader('X-Request-Id', settledRequestId(request));
    const { url = '' } = request;
    const path = pathOf(url);
    // What Next answers of the API has limits of its own, and reads a body only within them. A file is
    // only read; what is spelt otherwise than our pages do may be none for Next.
    const isPlainFile = isFile(path) && !path.includes('%');
    if (!isPlainFile) timePage(path, response);
    const answerBy = isApiPath(url) || isPlainFile ? toNext : toPage;
    answerBy(request, response);
  }, isFile);
  return forPaths((request, response) => {
    const url = request.url ?? '';
    const path = isProduction ? restPathOf(url) : null;
    if (path !== null) {
      answer(request, response, path);
      return;
    }
    setFixedHeaders(response);
    const given = url.split('?', 1)[0] ?? '';
    const isMisspelt = isMisspeltApiPath(given);
    if (isMisspelt || !isDecodable(given)) {
      // Below there even what leads nowhere is answered in the envelope.
      if (isMisspelt || given.startsWith('/api/')) answer(request, response, given);
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
      return;
    }
    const large = whyTooLarge(request);
    if (large) {
      // The API has no such limits: no invoice has so long a name, and that is what it says.
      if (isMeantForRest(given)) answer(request, response, given);
      else response.writeHead(large.status, { 'content-type': 'text/plain' }).end(large.text);
      return;
    }
    pass(request, response);
  });
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      const fault = listenFault(error, { port, host });
      reject(fault === null ? error : new SettingError(fault, { cause: error }));
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

/** Ends the process in order, once; a second signal ends it at once. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const begin = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log().info({ reason }, 'web is stopping');
    setTimeout(() => process.exit(1), END_LIMIT_MS).unref();
    stop()
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log().error({ err: error }, 'web did not stop cleanly');
        process.exit(1);
      });
  };
  onEndSignals(begin, () => process.exit(1));
  // Of its keeper, by message: Ctrl-C and systemd send each process of a group the signal as well.
  process.on('message', (message) => {
    if (isGatewayMessage<ToWeb>(message) && message.gateway === 'stop') begin('stop');
  });
  // The supervisor is gone: nobody would end this process any more.
  onSupervisorGone(() => begin('disconnect'));
}

/**
 * Loads the payment page by asking for one that does not exist, so that no buyer waits for that.
 * Every other page is loaded when it is first asked for: all of them at the start (Next's preset)
 * took 90 MiB more and a start half as long again. Through a door of this process alone, for
 * several of them share the port. Next puts its listener for upgrades on that door, not on ours,
 * where it would end what asks the API for HTTP/2.
 */
async function warmPaymentPage(requests: RequestListener): Promise<void> {
  const door = createServer(requests);
  door.listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  for (const page of ['/pay/none', '/pay/none/challenge']) {
    const signal = AbortSignal.timeout(WARMING_MS);
    // A page that comes late, or not at all for want of the database, is loaded by then as well.
    await fetch(`http://127.0.0.1:${port}${page}`, { signal })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  }
  door.closeAllConnections();
  door.close();
}

/** Runs the one web of this process until a signal, its keeper or its supervisor ends it. */
export async function serveWeb(): Promise<void> {
  const current = settings();
  const { isProduction, port, host } = current;
  await startTracing('web');
  await guardSecretsKey();
  const app = next({ dev: !isProduction, hostname: host, port });
  const server = createHttpServer();
  let heartbeats: Heartbeats | null = null;
  stopOnSignals(async () => {
    // First, so that Inngest's runs begin nothing that would be cut off.
    const drained = stopDrains(getPool());
    const jobsEnd = Promise.race([drained, sleep(JOBS_MS, undefined, { ref: false })]);
    // Together: a database that is silent keeps the goodbye waiting, and requests must not be.
    await Promise.all([heartbeats?.stop(), server.listening && drain(server)]);
    // What takes longer is finished by recovery.
    const settled = Promise.all([paymentsSettled(), emailsSettled()]);
    await Promise.race([settled, sleep(PAYMENTS_MS, undefined, { ref: false })]);
    closeMail();
    await closeRestHandler();
    // Inngest's runs deliver here.
    await jobsEnd;
    await closeDelivery();
    await closePool();
    await stopTracing();
  });
  joinSiblings(() => reportOf(getPool()));
  await app.prepare();
  const requests = listener(app.getRequestHandler(), current);
  server.on('request', inTurn(requests));
  await askDatabaseFirst(getPool(), getRestHandler().ready);
  if (isProduction) await warmPaymentPage(requests);
  await listen(server, port, host);
  heartbeats = startHeartbeats(getPool(), { kind: 'web' });
  log().info({ port, publicUrl: current.publicUrl }, 'web is listening');
}
