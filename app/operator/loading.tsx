import { ScreenLoading } from '../dashboard/_shell/screen-loading.tsx';

export default ScreenLoading;
