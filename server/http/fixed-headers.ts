import type { ServerResponse } from 'node:http';
import { processWide } from '../lib/process-wide.ts';
import { isLoopbackUrl, type Settings, settings } from '../settings/settings.ts';

type HeaderSettings = Pick<Settings, 'publicUrl' | 'hstsCoversSubdomains'>;

/**
 * What stands in the head of every answer of the HTTP server, whoever gives it. Where browsers come by
 * https they are kept there for a year; whoever tries the gateway on their own machine keeps http on
 * its other ports.
 */
export function headersFor({ publicUrl, hstsCoversSubdomains }: HeaderSettings) {
  const headers: Record<string, string> = { 'x-content-type-options': 'nosniff' };
  if (publicUrl.startsWith('https:') && !isLoopbackUrl(publicUrl)) {
    const reach = hstsCoversSubdomains ? '; includeSubDomains' : '';
    headers['strict-transport-security'] = `max-age=31536000${reach}`;
  }
  return headers;
}

const held = processWide<{ headers?: Readonly<Record<string, string>> }>(
  'fixed-headers',
  () => ({}),
);

/** Those of this process. */
export function fixedHeaders(): Readonly<Record<string, string>> {
  held.headers ??= headersFor(settings());
  return held.headers;
}

/** Puts them into the head of an answer that something else than our own handler will give. */
export function setFixedHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(fixedHeaders())) response.setHeader(name, value);
}
