import { getPool, isDatabaseBusy } from '../db/pool.ts';
import { rememberFinal } from '../invoices/final-views.ts';
import { coalescedInvoices, oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { systemClock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { processWide } from '../lib/process-wide.ts';
import type { Span } from '../lib/tracing.ts';
import { isWithin } from '../merchants/networks.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { type Refusal, tellRefusal } from '../observability/refusals.ts';
import { settings } from '../settings/settings.ts';
import { BODY_LIMIT_BYTES } from '../wire/json-body.ts';
import {
  BUSY,
  CALLER_LEFT,
  FORBIDDEN,
  INTERNAL_ERROR,
  methodNotAllowed,
  NOT_FOUND,
  TOO_LARGE,
} from './answers.ts';
import { Gate, type Limits } from './authenticate.ts';
import { requestIdOf } from './request-id.ts';
import { RequestJournal } from './request-journal.ts';
import { RequestLog } from './request-log.ts';
import { describeAnswer, inRequestSpan } from './request-span.ts';
import { findRoute, type Route, routeLabelsOf } from './routes.ts';
import type { KnownToken } from './token-cache.ts';
import { TokenListener } from './token-listener.ts';
import type { Answer, Endpoint, RestContext, RestRequest, RestResponse } from './types.ts';

const NO_BODY = new Uint8Array(0);
const NO_QUERY = new URLSearchParams();

/** What the handler learns about a request on its way. */
type Input = {
  requestId: string;
  startedAtMs: number;
  span: Span | null;
  body: Uint8Array;
  token: KnownToken | null;
  /** When its body was complete. */
  now: Date | null;
  isToolsOwn: boolean;
};

function excuseOf(error: unknown): Answer {
  const isBusy =
    isDatabaseBusy(error) || (error instanceof GatewayError && error.kind === 'unavailable');
  return isBusy ? BUSY : INTERNAL_ERROR;
}

/** Whether a good token has the endpoint's scope and works from the caller's address. */
function mayCall(
  { scopes, networks }: KnownToken,
  { scope }: Endpoint,
  { remoteAddress }: RestRequest,
): boolean {
  return scopes.includes(scope) && (networks.length === 0 || isWithin(networks, remoteAddress));
}

/** The REST API over one database, independent of any transport. */
export class RestHandler {
  private readonly context: RestContext;
  private readonly requestLog: RequestLog;
  private readonly journal: RequestJournal;
  private readonly times = metrics().requests;
  private readonly gate: Gate;
  private readonly listener: TokenListener;
  /** Resolves when tokens may be cached, or when that is known not to work for now. */
  readonly ready: Promise<void>;

  constructor(context: RestContext, limits: Limits, databaseUrl: string) {
    this.context = context;
    this.requestLog = new RequestLog(context.log);
    this.journal = new RequestJournal(context.db, context.log);
    this.gate = new Gate(context.db, limits, context.log);
    this.listener = new TokenListener(databaseUrl, this.gate.cache, context.log);
    this.ready = this.listener.ready;
  }

  /** Answers a request; a failure on the way is answered by a 500 that hides its cause. */
  handle(request: RestRequest): Promise<RestResponse> {
    return inRequestSpan(request, (span) => this.respond(request, span));
  }

  private async respond(request: RestRequest, span: Span | null): Promise<RestResponse> {
    const input: Input = {
      requestId: requestIdOf(request.header('x-request-id')),
      startedAtMs: performance.now(),
      span,
      body: NO_BODY,
      token: null,
      now: null,
      isToolsOwn: false,
    };
    let answer: Answer;
    try {
      answer = await this.answer(request, input);
    } catch (error) {
      answer = this.excuse(request, input, error);
    }
    return this.finish(request, input, answer);
  }

  private finish(request: RestRequest, input: Input, answer: Answer): RestResponse {
    const { requestId, span } = input;
    this.record(request, input, answer);
    if (span !== null) describeAnswer(span, { ...input, status: answer.status });
    const headers: RestResponse['headers'] = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
    };
    if (answer.headers !== undefined) Object.assign(headers, answer.headers);
    return { status: answer.status, headers, body: answer.body };
  }

  /** The answer when there is none, with a log line for us. */
  private excuse({ path }: RestRequest, { requestId }: Input, error: unknown): Answer {
    const answer = excuseOf(error);
    // Requests beyond the limit come in thousands, and the request log counts them.
    const level = answer === INTERNAL_ERROR ? 'error' : 'debug';
    this.context.log[level]({ err: error, requestId, path }, 'request failed');
    return answer;
  }

  async close(): Promise<void> {
    await this.listener.stop();
    await this.gate.uses.stop();
    await this.journal.stop();
    this.requestLog.flush();
  }

  private record(
    request: RestRequest,
    { requestId, startedAtMs, body, token, now, isToolsOwn }: Input,
    answer: Answer,
  ): void {
    const { method, path } = request;
    const { status } = answer;
    const durationMs = performance.now() - startedAtMs;
    const at = now ?? this.context.clock();
    // A waiting listener is slow by design, so it is not timed.
    if (!isToolsOwn) this.times.count({ path, status, durationMs }, routeLabelsOf);
    this.requestLog.record({ requestId, method, path, status, durationMs }, at);
    // An unknown caller's request belongs to nobody's journal.
    if (token === null || isToolsOwn) return;
    // Field by field: spreading objects took a tenth of a status request's whole cost.
    this.journal.note({
      tenant: token.tenant,
      tokenId: token.tokenId,
      at,
      requestId,
      request,
      status,
      durationMs,
      body,
      answer: answer.body,
    });
  }

  /** The checks, in the order that the public page on errors states. */
  private async answer(request: RestRequest, input: Input): Promise<Answer> {
    const route = findRoute(request.path);
    if (route === null) return NOT_FOUND;
    const { method } = route.endpoint;
    input.isToolsOwn = route.endpoint.isToolsOwn === true;
    if (request.method !== method) return methodNotAllowed(method);
    if (method === 'GET') return this.admit(request, route, input);
    const body = await request.readBody(BODY_LIMIT_BYTES).catch(() => undefined);
    if (body === undefined) return CALLER_LEFT;
    if (body === null) return TOO_LARGE;
    input.body = body;
    return this.admit(request, route, input);
  }

  private async admit(
    request: RestRequest,
    { environment, name, endpoint }: Route,
    input: Input,
  ): Promise<Answer> {
    const now = this.context.clock();
    input.now = now;
    const result = await this.gate.authenticate(request, environment, now);
    input.token = result.token;
    if (!result.ok) {
      if (result.outcome) this.tellOfToken(request, input, result.outcome);
      return result.answer;
    }
    const { token } = result;
    if (!mayCall(token, endpoint, request)) return FORBIDDEN;
    this.gate.uses.note(token.tokenId, now.getTime(), name, request.remoteAddress);
    return endpoint.handle(this.context, {
      tenant: token.tenant,
      tokenId: token.tokenId,
      requestId: input.requestId,
      query: endpoint.method === 'GET' ? request.query : NO_QUERY,
      // A method and not an arrow: esbuild (`keepNames`) would wrap an arrow in a call of `__name`
      // for every request.
      header(name) {
        return request.header(name);
      },
      body: input.body,
      now,
    });
  }

  private tellOfToken(
    { remoteAddress: address, path }: RestRequest,
    { requestId, token }: Input,
    outcome: Refusal['outcome'],
  ): void {
    const about = { path, tokenId: token?.tokenId };
    tellRefusal({ what: 'token', outcome, address, requestId, about });
  }
}

const ofProcess = processWide<{ handler?: RestHandler }>('rest', () => ({}));

/** This process's handler, made on first use. */
export function getRestHandler(): RestHandler {
  if (ofProcess.handler !== undefined) return ofProcess.handler;
  const current = settings();
  const db = getPool();
  const context = {
    db,
    invoices: rememberFinal(current.coalesce ? coalescedInvoices(db) : oneByOneInvoices(db)),
    publicUrl: current.publicUrl,
    clock: systemClock,
    log: log(),
  };
  ofProcess.handler = new RestHandler(context, current, current.databaseUrl ?? '');
  return ofProcess.handler;
}

/** Closes what this process's handler holds: its listener, and the writing of last uses. */
export async function closeRestHandler(): Promise<void> {
  const { handler } = ofProcess;
  delete ofProcess.handler;
  await handler?.close();
}

/** Answers a request with this process's handler. */
export function handleRest(request: RestRequest): Promise<RestResponse> {
  return getRestHandler().handle(request);
}
