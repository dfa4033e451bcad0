import type { ServerResponse } from 'node:http';
import { isLoopbackUrl } from '../lib/formats.ts';
import { processWide } from '../lib/process-wide.ts';
import { type Settings, settings } from '../settings/settings.ts';

type HeaderSettings = Pick<Settings, 'publicUrl' | 'hstsCoversSubdomains'>;

/**
 * The headers of every answer of the HTTP server, whichever handler answers. Browsers that come by
 * https must keep to it for a year, except on a developer's own machine, whose other ports may use
 * http.
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

/** This process's fixed headers. */
export function fixedHeaders(): Readonly<Record<string, string>> {
  held.headers ??= headersFor(settings());
  return held.headers;
}

/** Adds them to an answer that a handler other than our own will give. */
export function setFixedHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(fixedHeaders())) response.setHeader(name, value);
}
