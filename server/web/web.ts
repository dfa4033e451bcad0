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
import { createHttpServer } from '../http/http-server.ts';
import { listenFault } from '../http/listen-fault.ts';
import { answerNodeRequest, restPathOf } from '../http/node-adapter.ts';
import { forPage } from '../http/page-response.ts';
import { stopDrains } from '../jobs/inngest/drain.ts';
import { onEndSignals } from '../lib/end-signals.ts';
import { SettingError } from '../lib/errors.ts';
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
import { type Settings, settings } from '../settings/settings.ts';
import { drain } from './drain.ts';
import { askDatabaseFirst } from './first-questions.ts';
import { forFewOfProcess, forFewOfSession, refuseLongBody } from './page-requests.ts';
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

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Where Next leads a path to, whose dots it resolves; '' where it cannot be read. */
function pathOf(url: string): string {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base).pathname : '';
}

/** What has limits of its own, or is only read from the disk. */
const NO_PAGE = /^\/(?:api\/.|_next\/static\/)/;

function fail(response: ServerResponse, error: unknown): void {
  log().error({ err: error }, 'a request could not be answered');
  if (!response.headersSent) {
    setFixedHeaders(response);
    response.writeHead(500, { 'content-type': 'text/plain' });
  }
  response.end();
}

/** Where requests go: in development everything to Next, so that every edit shows at once. */
function listener(
  handToNext: NextHandler,
  { isProduction, trustedProxyHops }: Settings,
): RequestListener {
  const toNext: NextHandler = (request, response) =>
    forPage(response, () => handToNext(request, response));
  const toPage = forFewOfSession(forFewOfProcess(toNext, hasSession));
  return (request, response) => {
    const { url = '' } = request;
    const restPath = isProduction ? restPathOf(url) : null;
    if (restPath !== null) {
      const exchange = { request, response, path: restPath };
      answerNodeRequest(getRestHandler(), exchange, trustedProxyHops, (error) =>
        fail(response, error),
      );
      return;
    }
    setFixedHeaders(response);
    // What the log tells of it stands there under the same id.
    response.setHeader('X-Request-Id', settledRequestId(request));
    // By it Next would speak TLS to our own plain port, for the page that an action leads to.
    delete request.headers['x-forwarded-proto'];
    const path = pathOf(url);
    timePage(path, response);
    if (refuseLongBody(request, response)) return;
    const answer = NO_PAGE.test(path) ? toNext : toPage;
    answer(request, response).catch((error: unknown) => fail(response, error));
  };
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
 * took 90 MiB more and a start half as long again. Through a server of this process alone, for
 * several of them share the port. Next puts its listener for upgrades on that one, not on ours,
 * where it would end what asks the API for HTTP/2.
 */
async function warmPaymentPage(requests: RequestListener): Promise<void> {
  const local = createServer(requests);
  local.listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(local, 'listening');
  const { port } = local.address() as AddressInfo;
  for (const page of ['/pay/none', '/pay/none/challenge']) {
    const signal = AbortSignal.timeout(WARMING_MS);
    // A page that comes late, or not at all for want of the database, is loaded by then as well.
    await fetch(`http://127.0.0.1:${port}${page}`, { signal })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  }
  local.closeAllConnections();
  local.close();
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
  server.on('request', requests);
  await askDatabaseFirst(getPool(), getRestHandler().ready);
  if (isProduction) await warmPaymentPage(requests);
  await listen(server, port, host);
  heartbeats = startHeartbeats(getPool(), { kind: 'web' });
  log().info({ port, publicUrl: current.publicUrl }, 'web is listening');
}
