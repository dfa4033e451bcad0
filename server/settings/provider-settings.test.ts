import { expect, it } from 'vitest';
import { parseProviderSettings } from './provider-settings.ts';

const parse = (variables: Record<string, string>) =>
  parseProviderSettings((name) => variables[name]);
const OIDC = { OIDC_ISSUER: 'https://id.example/', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };

it('no provider unless it is set', () => {
  expect(parse({})).toEqual({ google: null, github: null, oidc: null });
});

it('each provider by its own variables', () => {
  const google = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' };
  expect(parse(google).google).toEqual({ clientId: 'a', clientSecret: 'b' });
  expect(parse({ ...OIDC, OIDC_NAME: 'Okta' }).oidc).toEqual({
    ...{ clientId: 'a', clientSecret: 'b' },
    ...{ issuer: 'https://id.example', name: 'Okta' },
  });
});

it.each<Record<string, string>>([
  { GOOGLE_CLIENT_ID: 'a' },
  { GITHUB_CLIENT_SECRET: 'b' },
  { OIDC_ISSUER: 'https://id.example' },
  { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
  { ...OIDC, OIDC_ISSUER: 'id.example' },
])('half a provider is refused: %j', (variables) => {
  expect(() => parse(variables)).toThrow(/OIDC|GOOGLE|GITHUB/);
});
