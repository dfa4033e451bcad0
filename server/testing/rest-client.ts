import { Agent, request } from 'undici';
import type { Credentials } from './rest.ts';

const agent = new Agent({ connections: 64, pipelining: 1 });

export type CallOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS';
  credentials?: Credentials | null;
  headers?: { [name: string]: string };
  /** An object is sent as JSON, text and bytes unchanged. */
  body?: object | string | Uint8Array;
  /** The caller's address, as a trusted proxy would write it. */
  from?: string;
};

export type CallResult = {
  status: number;
  headers: { [name: string]: string | string[] | undefined };
  text: string;
  /** The parsed body, or undefined when it is not JSON. */
  json: { [key: string]: unknown } | undefined;
};

function bytesOf(body: CallOptions['body']): string | Uint8Array | undefined {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

function parsed(text: string): CallResult['json'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends one request as a merchant's server would. */
export async function call(url: string, options: CallOptions = {}): Promise<CallResult> {
  const { method = 'POST', credentials, headers = {}, from } = options;
  const body = bytesOf(options.body);
  const answer = await request(url, {
    method,
    dispatcher: agent,
    body,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...credentials,
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...headers,
    },
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) };
}
