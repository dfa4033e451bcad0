import { getPool } from '../../db/pool.ts';
import { readLogo } from '../../merchants/settings.ts';

const HEADERS = {
  // Only a picture, even for somebody who opens its address.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Answers with a merchant's logo. The address holds the logo's hash, so that it never changes. */
export async function answerLogo(merchantId: string, file: string): Promise<Response> {
  const hash = /^([0-9a-f]{32})\.(?:png|webp)$/.exec(file)?.[1];
  const isName = /^[\x21-\x7e]{1,255}$/.test(merchantId);
  const logo = hash && isName ? await readLogo(getPool(), { merchantId, hash }) : null;
  if (!logo) {
    return new Response(null, {
      status: 404,
      headers: { ...HEADERS, 'Cache-Control': 'no-store' },
    });
  }
  return new Response(new Uint8Array(logo.bytes), {
    headers: {
      ...HEADERS,
      'Content-Type': logo.contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
