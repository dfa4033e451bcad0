import { settings } from '../settings/settings.ts';

/** The page of a link, as buyers know it. */
export function linkUrl(code: string): string {
  return `${settings().publicUrl}/link/${code}`;
}

/** Whether a text has the shape of a link's code; the link may not exist. */
export function isLinkCode(text: string): boolean {
  return /^[0-9a-z]{10}$/.test(text);
}
