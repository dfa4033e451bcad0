import { type NextRequest, NextResponse } from 'next/server';
import { addressAfterChoice } from '#app/_i18n/address-after-choice.ts';
import { isFromOwnPage } from '#server/auth/own-page.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import {
  isLocale,
  LOCALE_COOKIE,
  LOCALE_COOKIE_MAX_AGE_S,
  negotiateLocale,
} from '#server/lib/locales.ts';
import { settings } from '#server/settings/settings.ts';

/** Where a form of the payment page may lead by its answer: to the acquirers, by `form-action`. */
function acquirerOrigins(): string {
  const { sandbox, production } = settings().acquirerUrls;
  const urls = [...Object.values(sandbox), ...Object.values(production)];
  const origins = new Set(urls.map((url) => new URL(url).origin));
  // Some acquirers' pages stand on other hosts of their own than their interfaces.
  const pages = [
    'https://*.multicard.uz',
    'https://checkout.stripe.com',
    'https://yoomoney.ru',
    'https://*.yookassa.ru',
  ];
  return [...origins, ...pages].join(' ');
}

const PAYMENT_PAGE = /^\/pay\/[^/]+$/;

/**
 * The policy of every page. Scripts run only with the request's nonce (and their own scripts); no
 * other host may be loaded from, sent to, or frame a page.
 */
function contentSecurityPolicy(nonce: string, mayLeave: boolean): string {
  // React's development build evaluates text to rebuild server stacks, and Next's
  // overlay writes styles inline.
  const development = process.env.NODE_ENV === 'production' ? '' : " 'unsafe-eval'";
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `form-action 'self'${mayLeave ? ` ${acquirerOrigins()}` : ''}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const FIXED_HEADERS = {
  // `no-referrer` would make a browser send `Origin: null` even to ourselves (Fetch, "append a
  // request Origin header"), and the actions check the origin.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/** `?lang=ru` on any page: remembers the choice and stays there, even without JavaScript. */
function languageChoice(request: NextRequest): NextResponse | null {
  const chosen = request.nextUrl.searchParams.get('lang');
  if (request.method !== 'GET' || !isLocale(chosen)) return null;
  const address = addressAfterChoice(new URL(request.nextUrl.href), request.headers.get('referer'));
  const answer = NextResponse.redirect(address, 303);
  answer.headers.set('Cache-Control', 'no-store');
  answer.cookies.set(LOCALE_COOKIE, chosen, {
    path: '/',
    maxAge: LOCALE_COOKIE_MAX_AGE_S,
    sameSite: 'lax',
    httpOnly: true,
    secure: settings().publicUrl.startsWith('https:'),
  });
  return answer;
}

// Hidden files and the operating folder are not pages: settings stand there beside their example,
// under any name. The documentation describes them.
const HIDDEN = /\/\.(?!well-known\/)|^\/operating(?:\/|$)/i;

function isHidden(path: string): boolean {
  try {
    return HIDDEN.test(decodeURIComponent(path));
  } catch {
    return true;
  }
}

/**
 * Marks a call that Next forwards to itself when a page does not have the posted action. Limits,
 * e-mails and the audit log would take this machine for its caller. Each page has its own.
 */
const FORWARDED = 'x-action-forwarded';

/** The address to which a bank sends the buyer back by its own form. */
const RETURN = /^\/pay\/[^/]+\/return$/;

function isFormOfOthers({ method, headers, nextUrl }: NextRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return !isRead && !RETURN.test(nextUrl.pathname) && !isFromOwnPage({ method, headers });
}

function refuse(status: number, text: string): NextResponse {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return new NextResponse(text, { status, headers });
}

/** Refuses a form in the reader's language: somebody may use another address of the gateway. */
function refuseForm({ cookies, headers }: NextRequest): NextResponse {
  const chosen = cookies.get(LOCALE_COOKIE)?.value;
  const locale = negotiateLocale(chosen, headers.get('accept-language'));
  return refuse(403, translatorOf(locale, 'site')('otherSite', { origin: settings().publicUrl }));
}

/** The reason why a request stops here, or null. */
function refusalOf(request: NextRequest): NextResponse | null {
  if (isHidden(request.nextUrl.pathname) || request.headers.has(FORWARDED)) {
    return refuse(404, 'Not found');
  }
  return isFormOfOthers(request) ? refuseForm(request) : null;
}

/** Makes Next's own comparison of `Origin` with the host agree with ours, behind every proxy. */
function vouchForOrigin(headers: Headers): void {
  const { origin, host } = new URL(settings().publicUrl);
  headers.set('origin', origin);
  headers.set('x-forwarded-host', host);
}

export function proxy(request: NextRequest): NextResponse {
  const choice = languageChoice(request);
  if (choice) return choice;
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const policy = contentSecurityPolicy(nonce, PAYMENT_PAGE.test(request.nextUrl.pathname));
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  // A page that requires a sign-in returns to this address, which tells its language too.
  headers.set('x-path', request.nextUrl.pathname + request.nextUrl.search);
  const refusal = refusalOf(request);
  if (refusal) return refusal;
  if (request.method === 'POST') vouchForOrigin(headers);
  const answer = NextResponse.next({ request: { headers } });
  answer.headers.set('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(FIXED_HEADERS)) answer.headers.set(name, value);
  return answer;
}

export const config = {
  // Only pages match: the detour would cost the API time. `/api/` alone is not the API, nor is a
  // path that only begins like a file's name.
  matcher: ['/((?!api/.|_next/static/|icon\\.svg$).*)'],
};
