'use client';

import { ScreenError } from '../dashboard/_shell/screen-error.tsx';

export default ScreenError;
