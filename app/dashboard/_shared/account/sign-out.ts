import { haveStayed } from '../forms/unsaved.ts';

/** It says nothing when a request of its own is refused; whom the session still knows is not out. */
async function isSignedIn(): Promise<boolean> {
  const answer = await fetch('/api/auth/session');
  return !answer.ok || (await answer.text()) !== '{}';
}

/**
 * Ends the session: its row is deleted, so that the cookie is worth nothing any more; then leads to
 * the sign-in.
 *
 * @throws where the session may still run
 */
export async function signOutFully(): Promise<void> {
  try {
    const { signOut } = await import('next-auth/react');
    await signOut({ redirect: false });
    if (await isSignedIn()) throw new Error('still signed in');
    // A full load: nothing of what was shown stays in memory.
    window.location.assign('/dashboard/sign-in');
  } catch (error) {
    haveStayed();
    throw error;
  }
}
