import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SETTING_NAMES, unknownNames } from './setting-names.js';

const read = (file: string) => readFileSync(file, 'utf8');
const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);
const asFile = (names: string[]) => names.map((name) => `${name}=x\n`).join('');

it('every setting that is read or that the README names is known, and no other is', () => {
  const ofCode = namesIn(read('server/settings/settings.ts'), /'([A-Z][A-Z_]{3,})'/g);
  const ofProviders = ['GOOGLE', 'GITHUB', 'OIDC'].flatMap((prefix) => [
    `${prefix}_CLIENT_ID`,
    `${prefix}_CLIENT_SECRET`,
  ]);
  const rows = read('README.md').split('### Settings')[1]?.split('\n### ')[0] ?? '';
  const ofReadme = namesIn(rows, /(?<=^\|[^|]*)`([A-Z][A-Z_]+)`/gm);
  expect(ofReadme).toContain('ENV_FILE');
  const named = [...ofCode, ...ofProviders, ...ofReadme];
  expect(unknownNames(asFile(named))).toEqual([]);
  expect(SETTING_NAMES.filter((name) => !named.includes(name))).toEqual([]);
});

it('the files that are made for compose.yaml and systemd name nothing unknown', () => {
  expect(unknownNames(read('public/operating/example.env'))).toEqual([]);
});

it('a misspelt name is found, in whatever form a line has, and a remark is none', () => {
  const file = [
    '# DATABSE_URL=remark',
    'OPERATORS_SECOND_FACTOR=required',
    "export TRUSTED_PROXY_HOP='1' # the balancer",
    'port=3000',
    'OTEL_RESOURCE_ATTRIBUTES=a=b',
    'PGSSLMODE=require',
    'https_proxy=http://127.0.0.1:3128',
    'TZ=UTC',
  ].join('\n');
  expect(unknownNames(file)).toEqual(['OPERATORS_SECOND_FACTOR', 'TRUSTED_PROXY_HOP', 'port']);
});

it('what may be a piece of a secret is not repeated', () => {
  expect(unknownNames('SECRETS_KEY=\nq83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=\n')).toEqual([]);
});
