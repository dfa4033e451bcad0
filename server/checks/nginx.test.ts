import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHttpServer } from '../http/http-server.ts';

// Compares nginx.conf with what the gateway does.

const NGINX = readFileSync('public/operating/nginx.conf', 'utf8');
const GUIDE = readFileSync('public/operating/operating.md', 'utf8');

/** The first group of a pattern's match. */
const found = (pattern: RegExp) => pattern.exec(NGINX)?.[1] ?? '';

describe('nginx.conf', () => {
  it('goes to the webs that the guide starts, and never leaves one out that restarted', () => {
    expect(NGINX.match(/^ {2}server .+$/gm)).toEqual([
      '  server 127.0.0.1:3000 max_fails=0;',
      '  server 127.0.0.1:3001 max_fails=0;',
    ]);
  });

  it('closes idle connections before a web does', () => {
    const seconds = Number(found(/^ {2}keepalive_timeout (\d+)s;$/m));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds * 1_000).toBeLessThan(createHttpServer().keepAliveTimeout);
  });

  it('lets through what is too large, so that the gateway says so', () => {
    // The dashboard's own calls are the largest (operating.md).
    expect(GUIDE).toContain("dashboard's own calls (1,600 KiB at most)");
    expect(Number(found(/^ {2}client_max_body_size (\d+)m;$/m))).toBeGreaterThan(2);
  });

  it('logs no path that opens something', () => {
    const hidden = found(/^ {2}"~(\^.+)" "\$1\*\*\*";$/m);
    expect(hidden).not.toBe('');
    const opening = readdirSync('app/dashboard').filter((name) =>
      existsSync(join('app/dashboard', name, '[token]')),
    );
    expect(opening.length).toBeGreaterThan(1);
    for (const name of opening) expect(`/dashboard/${name}/abc`).toMatch(new RegExp(hidden));
    expect(NGINX.match(/^ +access_log \S+ payment_gateway;$/gm)).toHaveLength(2);
    // Each of its lines contains the request and its Referer; a refusing web causes an `error`.
    expect(NGINX.match(/^ +error_log \S+ crit;$/gm)).toHaveLength(2);
    expect(NGINX).not.toMatch(/\$(request_uri|request|args|http_referer)\b.*'/);
  });
});
