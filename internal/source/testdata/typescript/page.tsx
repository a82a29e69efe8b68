import { type FC, forwardRef } from "react";

type Props = { id: string; onDone?: (n: number) => void };

export const Page: FC<Props> = ({ id, onDone }) => <div onClick={() => onDone?.(1)}>{id}</div>;

export const Field = forwardRef<HTMLInputElement, Props>(function Field(props, ref) {
  return <input ref={ref} {...props} />;
});

export function generic<T,>(x: T): T { return x; }
