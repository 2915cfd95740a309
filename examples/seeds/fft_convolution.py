"""An image filter by convolution: the inverse transform of the product of two transforms (NumbaPro talk, lesson 2).

The product is a ufunc on the device; the transforms are cuFFT's, out of place or in place.
"""

import numpy as np
from pyarray import cuda, vectorize
from pyarray.cuda import cufft


@vectorize(["complex64(complex64, complex64)"], target="cuda")
def multiply(a, b):
    return a * b


def convolve(image, response):
    """Out of place: transforms in device arrays of their own."""
    device_image, device_response = cuda.to_device(image), cuda.to_device(response)
    image_transform, response_transform = cuda.device_array_like(device_image), cuda.device_array_like(device_image)
    cufft.fft(device_image, image_transform)
    cufft.fft(device_response, response_transform)
    multiply(image_transform, response_transform, out=image_transform)
    cufft.ifft(image_transform, device_image)
    return device_image.copy_to_host().real / image.size  # cuFFT does not scale


def convolve_inplace(image, response):
    """In place: each transform replaces its input."""
    device_image, device_response = cuda.to_device(image), cuda.to_device(response)
    cufft.fft_inplace(device_image)
    cufft.fft_inplace(device_response)
    multiply(device_image, device_response, out=device_image)
    cufft.ifft_inplace(device_image)
    return device_image.copy_to_host().real / image.size


def fft_convolution(image, response):
    """Both forms."""
    return convolve(image, response), convolve_inplace(image, response)


def blur(shape, width):
    """The response of a blur: a Gaussian around the first element, all of it 1."""
    distances = [np.minimum(np.arange(n), n - np.arange(n)) for n in shape]
    response = np.exp(-(distances[0][:, None] ** 2 + distances[1] ** 2) / (2 * width**2))
    return (response / response.sum()).astype(np.complex64)


def edges(shape):
    """The response of a filter that shows edges: the Laplace operator around the first element."""
    response = np.zeros(shape, np.complex64)
    response[0, 0] = 4
    response[0, 1] = response[0, -1] = response[1, 0] = response[-1, 0] = -1
    return response


def picture(size):
    """A disc, a ring and a bar."""
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    disc = np.hypot(x + 0.4, y + 0.3) < 0.3
    ring = abs(np.hypot(x - 0.4, y + 0.2) - 0.3) < 0.05
    bar = (abs(y - 0.6) < 0.1) & (abs(x) < 0.7)
    return (disc | ring | bar).astype(np.complex64)


TOLERANCE = 1e-5


def arguments(size=96):
    """An image, and the response of a blur."""
    image = picture(size)
    return image, blur(image.shape, 3)


def reference(image, response):
    """The same by NumPy."""
    convolved = np.fft.ifft2(np.fft.fft2(image) * np.fft.fft2(response)).real
    return convolved, convolved


def main():
    """Print what the filter does to the image."""
    image, response = arguments()
    blurred, inplace = fft_convolution(image, response)
    print(f"brightness {image.real.mean():.4f}, blurred {blurred.mean():.4f}; greatest {blurred.max():.4f}")
    print(f"the two forms differ by {abs(blurred - inplace).max():.1e}")


def draw(figure):
    """The image, blurred, and its edges."""
    image, response = arguments(256)
    shown = {
        "image": image.real,
        "blurred": convolve(image, response),
        "edges": abs(convolve_inplace(image, edges(image.shape))),
    }
    for axes, (title, values) in zip(figure.subplots(1, 3), shown.items()):
        axes.imshow(values, cmap="gray")
        axes.set(title=title, xticks=[], yticks=[])


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
