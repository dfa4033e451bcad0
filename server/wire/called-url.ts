import { GatewayError } from '../lib/errors.ts';
import { httpUrl } from './fields.ts';

// DNS's limit: a host with a longer name cannot be reached.
const MAX_HOST_NAME = 253;

/**
 * An address that is valid as an invoice's `callback_url`.
 *
 * @throws GatewayError `validation`
 */
export function checkedUrl(given: string): string {
  const url = httpUrl.safeParse(given.trim());
  if (!url.success) {
    throw new GatewayError('callback_url_invalid');
  }
  // In ASCII encoding; the audit log has no room for longer names either.
  if (new URL(url.data).hostname.length > MAX_HOST_NAME) {
    throw new GatewayError('host_name_too_long');
  }
  return url.data;
}
