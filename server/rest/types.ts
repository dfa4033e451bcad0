import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { MerchantInvoices } from '../invoices/merchant-invoices.ts';
import type { Scope, Tenant } from '../merchants/types.ts';

/** A request, independent of its transport. */
export type RestRequest = {
  /** Upper case. */
  method: string;
  /** From the root, e.g. `/api/sandbox/invoice/create`; not decoded. */
  path: string;
  /** Empty unless the request is a GET. */
  readonly query: URLSearchParams;
  /** A header's value by its lower-case name. */
  header(name: string): string | null;
  /** The whole body, or null if it is longer than `limitBytes`; rejects when the caller leaves. */
  readBody(limitBytes: number): Promise<Uint8Array | null>;
  /** The caller's address, as far as the transport can vouch for it. */
  remoteAddress: string;
};

export type RestResponse = {
  status: number;
  /** Lower-case names. */
  headers: { [name: string]: string };
  body: string | Buffer;
};

/** An endpoint's answer; the handler adds the headers that every answer carries. */
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

/** What the endpoints work with. */
export type RestContext = {
  db: Pool;
  /** What merchants do with invoices, on `db`. */
  invoices: MerchantInvoices;
  /** Without a trailing slash. */
  publicUrl: string;
  clock: () => Date;
  log: Logger;
};

export type Endpoint = {
  method: 'GET' | 'POST';
  /** What a token must be allowed to do. */
  scope: Scope;
  /** The path does not exist in production. */
  sandboxOnly?: boolean;
  /** Called and waited for by tools: left out of figures and of the request list. */
  isToolsOwn?: boolean;
  handle(context: RestContext, request: AuthenticatedRequest): Answer | Promise<Answer>;
};
