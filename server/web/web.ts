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
import { answerNodeRequest, hookPathOf, restPathOf } from '../http/node-adapter.ts';
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
import { handleAcquirerCall } from '../rest/acquirer-calls.ts';
import { closeRestHandler, getRestHandler, handleRest } from '../rest/handler.ts';
import { settledRequestId } from '../rest/request-id.ts';
import { type Settings, settings } from '../settings/settings.ts';
import { drain } from './drain.ts';
import { askDatabaseFirst } from './first-questions.ts';
import { forFewOfProcess, forFewOfSession, refuseLongBody } from './page-requests.ts';
import { timePage } from './page-times.ts';
import { joinSiblings } from './siblings.ts';

// A `web` process: answers the REST endpoints and the hooks of acquirers itself and hands the rest to
// Next, whose router alone costs more than a whole status request does here.

const PAYMENTS_MS = 3_000;
/** An attempt's ten seconds, and the time to record it. */
const JOBS_MS = 11_000;
const WARMING_MS = 2_000;
/** A supervisor allows a web 20 s; a statement on a hanging database must not take all. */
const END_LIMIT_MS = 18_000;

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The path that Next resolves a URL to, with its dots; '' where the URL is invalid. */
function pathOf(url: string): string {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base).pathname : '';
}

/** Paths with limits of their own, or that are only read from the disk. */
const NO_PAGE = /^\/(?:api\/.|_next\/static\/)/;

function fail(response: ServerResponse, error: unknown): void {
  log().error({ err: error }, 'a request could not be answered');
  if (!response.headersSent) {
    setFixedHeaders(response);
    response.writeHead(500, { 'content-type': 'text/plain' });
  }
  response.end();
}

/** Who answers a URL without Next, and its path; null for Next's own. */
function ownHandlerOf(url: string) {
  const restPath = restPathOf(url);
  if (restPath !== null) return { handle: handleRest, path: restPath };
  const hookPath = hookPathOf(url);
  return hookPath === null ? null : { handle: handleAcquirerCall, path: hookPath };
}

/** Routes requests: in development everything goes to Next, so that every edit shows at once. */
function listener(
  handToNext: NextHandler,
  { isProduction, trustedProxyHops }: Settings,
): RequestListener {
  const toNext: NextHandler = (request, response) =>
    forPage(response, () => handToNext(request, response));
  const toPage = forFewOfSession(forFewOfProcess(toNext, hasSession));
  return (request, response) => {
    const { url = '' } = request;
    const own = isProduction ? ownHandlerOf(url) : null;
    if (own !== null) {
      const exchange = { request, response, path: own.path };
      answerNodeRequest(own.handle, exchange, trustedProxyHops, (error) => fail(response, error));
      return;
    }
    setFixedHeaders(response);
    // The log uses the same id.
    response.setHeader('X-Request-Id', settledRequestId(request));
    // It would make Next speak TLS to our own plain port, for the page that an action leads to.
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
  // The keeper sends a message, because Ctrl-C and systemd signal each process of a group too.
  process.on('message', (message) => {
    if (isGatewayMessage<ToWeb>(message) && message.gateway === 'stop') begin('stop');
  });
  // The supervisor is gone, so nothing else would end this process.
  onSupervisorGone(() => begin('disconnect'));
}

/**
 * Loads the payment page by requesting one that does not exist, so that no buyer waits for the
 * loading. Every other page is loaded on its first request: loading all at the start (Next's
 * default) took 90 MiB more and made the start half as long again. The request goes to a server of
 * this process alone, because several share the port. Next also adds its listener for upgrades to
 * that server and not to ours, where it would end API requests that ask for HTTP/2.
 */
async function warmPaymentPage(requests: RequestListener): Promise<void> {
  const local = createServer(requests);
  local.listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(local, 'listening');
  const { port } = local.address() as AddressInfo;
  for (const page of ['/pay/none', '/pay/none/challenge']) {
    const signal = AbortSignal.timeout(WARMING_MS);
    // The page is loaded by then even if it comes late, or fails for want of the database.
    await fetch(`http://127.0.0.1:${port}${page}`, { signal })
      .then((answer) => answer.arrayBuffer())
      .catch(() => undefined);
  }
  local.closeAllConnections();
  local.close();
}

/** Runs this process's web until a signal, its keeper or its supervisor ends it. */
export async function serveWeb(): Promise<void> {
  const current = settings();
  const { isProduction, port, host } = current;
  await startTracing('web');
  await guardSecretsKey();
  const app = next({ dev: !isProduction, hostname: host, port });
  const server = createHttpServer();
  let heartbeats: Heartbeats | null = null;
  stopOnSignals(async () => {
    // This comes first, so that Inngest's runs begin nothing that would be cut off.
    const drained = stopDrains(getPool());
    const jobsEnd = Promise.race([drained, sleep(JOBS_MS, undefined, { ref: false })]);
    // Both at once: a silent database delays the last heartbeat, which must not delay requests.
    await Promise.all([heartbeats?.stop(), server.listening && drain(server)]);
    // Recovery finishes whatever takes longer.
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
