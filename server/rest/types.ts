import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { MerchantInvoices } from '../invoices/merchant-invoices.ts';
import type { Awaitable } from '../lib/sync-promise.ts';
import type { Tenant } from '../merchants/types.ts';
import type { HeldBody } from './held-body.ts';

/**
 * Why a body was not read: it is longer than allowed, or all bodies together, or those from its
 * network address, take too much.
 */
export type BodyRefusal = 'too_large' | 'busy';

/** A request as every transport can give it. */
export type RestRequest = {
  /** Upper case. */
  method: string;
  /** From the root, e.g. `/api/sandbox/invoice/create`; not decoded. */
  path: string;
  /**
   * Of a GET. Parsed, once, when it is asked for: 64 KiB of the worst cost tens of milliseconds, so
   * that nobody asks before it is known who calls. Nobody changes it.
   */
  readonly query: URLSearchParams;
  /** A header's value by its lower-case name. */
  header(name: string): string | null;
  /** The whole body, whose chunks `held` has taken, unless it is longer than `limitBytes`. */
  readBody(limitBytes: number, held: HeldBody): Promise<Uint8Array | BodyRefusal>;
  /** Of the caller, as far as the transport can vouch for it. */
  remoteAddress: string;
};

export type RestResponse = {
  status: number;
  /** Lower-case names. */
  headers: { [name: string]: string };
  body: string | Buffer;
};

/** What an endpoint answers; the handler adds the headers that every answer carries. */
export type Answer = {
  status: number;
  body: string | Buffer;
  headers?: { [name: string]: string };
};

/** A request whose sender is known. */
export type AuthenticatedRequest = {
  tenant: Tenant;
  tokenId: string;
  requestId: string;
  /** Empty for a POST. */
  query: URLSearchParams;
  header(name: string): string | null;
  /** Empty for a GET. */
  body: Uint8Array;
  now: Date;
};

/** What the endpoints stand on. */
export type RestContext = {
  db: Pool;
  /** Of `db`: what merchants do with invoices. */
  invoices: MerchantInvoices;
  /** Without a trailing slash. */
  publicUrl: string;
  clock: () => Date;
  log: Logger;
};

export type Endpoint = {
  method: 'GET' | 'POST';
  /** In production the path does not exist. */
  sandboxOnly?: boolean;
  /** Tools use it by themselves and wait in it: neither figures nor people's log of requests have it. */
  isToolsOwn?: boolean;
  handle(context: RestContext, request: AuthenticatedRequest): Awaitable<Answer>;
};
