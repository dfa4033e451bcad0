import github, { type GithubProfile } from 'next-auth/providers/github';
import google from 'next-auth/providers/google';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { ProviderClient, ProviderSettings } from '../settings/provider-settings.ts';
import { vouchedEmail } from '../staff/email-address.ts';

/** A provider as the sign-in page names it. */
export type ProviderChoice = { id: string; name: string };

/** The configured providers. */
export function providerChoices(providers: ProviderSettings): ProviderChoice[] {
  const { google: hasGoogle, github: hasGithub, oidc } = providers;
  return [
    ...(hasGoogle ? [{ id: 'google', name: 'Google' }] : []),
    ...(hasGithub ? [{ id: 'github', name: 'GitHub' }] : []),
    ...(oidc ? [{ id: 'oidc', name: oidc.name }] : []),
  ];
}

type Claims = { sub?: string; email?: string | null; email_verified?: boolean };

/**
 * A provider's claims about a person. The address counts only if the provider has verified it
 * (OpenID Connect Core 5.1); nobody gets in without one.
 */
export function verifiedPerson(claims: Claims): { id: string; email: string | null } {
  const email = claims.email_verified === true ? vouchedEmail(claims.email ?? '') : null;
  return { id: String(claims.sub ?? ''), email: email || null };
}

type GithubEmail = { email: string; primary: boolean; verified: boolean };

const GITHUB_TIMEOUT_MS = 5_000;

/** GitHub is not an OpenID provider: a separate list says whether an address is verified. */
function githubProvider(settings: ProviderClient): OAuthConfig<GithubProfile> {
  return github({
    ...settings,
    checks: ['pkce', 'state'],
    userinfo: {
      url: 'https://api.github.com/user',
      request: async ({ client, tokens }) => {
        const token = tokens.access_token ?? '';
        const profile = await client.userinfo(token);
        const answer = await fetch('https://api.github.com/user/emails', {
          headers: { Authorization: `Bearer ${token}`, 'User-Agent': 'payment-gateway' },
          signal: AbortSignal.timeout(GITHUB_TIMEOUT_MS),
        });
        const emails = answer.ok ? ((await answer.json()) as GithubEmail[]) : [];
        const primary = emails.find((each) => each.primary && each.verified);
        return { ...profile, email: primary?.email, email_verified: primary !== undefined };
      },
    },
    profile: (profile) => {
      const { id, email, email_verified } = profile as unknown as Claims & { id: number };
      return verifiedPerson({ sub: String(id), email, email_verified });
    },
  });
}

/** next-auth's providers, from the settings. */
export function oauthProviders(providers: ProviderSettings) {
  const { oidc } = providers;
  const all = [];
  if (providers.google) {
    all.push(
      google({
        ...providers.google,
        checks: ['pkce', 'state', 'nonce'],
        profile: (claims) => verifiedPerson(claims),
      }),
    );
  }
  if (providers.github) all.push(githubProvider(providers.github));
  if (oidc) {
    const config: OAuthConfig<Claims> = {
      id: 'oidc',
      name: oidc.name,
      type: 'oauth',
      wellKnown: `${oidc.issuer}/.well-known/openid-configuration`,
      issuer: oidc.issuer,
      clientId: oidc.clientId,
      clientSecret: oidc.clientSecret,
      authorization: { params: { scope: 'openid email' } },
      idToken: true,
      checks: ['pkce', 'state', 'nonce'],
      profile: (claims) => verifiedPerson(claims),
    };
    all.push(config);
  }
  return all;
}
