import { SettingError } from '../lib/errors.ts';

/** Our credentials with a provider. */
export type ProviderClient = { clientId: string; clientSecret: string };

/** The providers that staff can sign in with; null where none is set. */
export type ProviderSettings = {
  google: ProviderClient | null;
  github: ProviderClient | null;
  /** Any OpenID Connect provider; `name` is the button's label. */
  oidc: (ProviderClient & { issuer: string; name: string }) | null;
};

type Read = (name: string) => string | undefined;

function client(read: Read, prefix: string): ProviderClient | null {
  const clientId = read(`${prefix}_CLIENT_ID`);
  const clientSecret = read(`${prefix}_CLIENT_SECRET`);
  if (clientId === undefined && clientSecret === undefined) return null;
  if (clientId === undefined || clientSecret === undefined) {
    throw new SettingError(`Set both ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET, or neither.`);
  }
  return { clientId, clientSecret };
}

/**
 * Reads the settings of sign-in providers.
 *
 * @throws SettingError that names the variables in conflict
 */
export function parseProviderSettings(read: Read): ProviderSettings {
  const oidc = client(read, 'OIDC');
  const issuer = read('OIDC_ISSUER')?.replace(/\/+$/, '');
  if ((oidc === null) !== (issuer === undefined)) {
    throw new SettingError(
      'Set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of them.',
    );
  }
  if (issuer !== undefined && !(/^https?:\/\//.test(issuer) && URL.canParse(issuer))) {
    throw new SettingError(
      `The setting OIDC_ISSUER must be an http or https URL, but is "${issuer}".`,
    );
  }
  return {
    google: client(read, 'GOOGLE'),
    github: client(read, 'GITHUB'),
    oidc:
      oidc && issuer !== undefined
        ? { ...oidc, issuer, name: read('OIDC_NAME') ?? 'OpenID Connect' }
        : null,
  };
}
