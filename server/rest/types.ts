import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { MerchantInvoices } from '../invoices/merchant-invoices.ts';
import type { Tenant } from '../merchants/types.ts';

/** A request as every transport can give it. */
export type RestRequest = {
  /** Upper case. */
  method: string;
  /** From the root, e.g. `/api/sandbox/invoice/create`; not decoded. */
  path: string;
  /** Of a GET. */
  readonly query: URLSearchParams;
  /** A header's value by its lower-case name. */
  header(name: string): string | null;
  /** The whole body, or null where it is longer than `limitBytes`; rejects when the caller leaves. */
  readBody(limitBytes: number): Promise<Uint8Array | null>;
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
  handle(context: RestContext, request: AuthenticatedRequest): Answer | Promise<Answer>;
};
