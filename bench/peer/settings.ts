/** The peer's settings, in the variable PEER_SETTINGS as JSON. */
export type PeerSettings = {
  databaseUrl: string;
  poolSize: number;
  merchantId: string;
  token: string;
};
