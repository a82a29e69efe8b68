export function Gallery({ images, bio }: { images: string[]; bio: string }) {
  return (
    <div>
      {images.map((src) => <img key={src} src={src} alt="" />)}
      <a href="/more">more</a>
      <p>{bio}</p>
      <h1>Gallery</h1>
    </div>
  );
}
