import { expect, it } from 'vitest';
import { parseDatabaseUrl } from './database-url.ts';

const URL = 'postgres://u:p@db.example.com/gateway';

it.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s verifies the server, and warns of nothing',
  (mode) => {
    expect(parseDatabaseUrl(`${URL}?a=b&sslmode=${mode}&sslrootcert=/ca.pem`)).toBe(
      `${URL}?a=b&sslmode=verify-full&sslrootcert=/ca.pem`,
    );
    expect(parseDatabaseUrl(`${URL}?sslmode=${mode}`)).toBe(`${URL}?sslmode=verify-full`);
  },
);

it.each(['', '?sslmode=disable', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'])(
  'an address with "%s" stays as it is',
  (query) => expect(parseDatabaseUrl(URL + query)).toBe(URL + query),
);
